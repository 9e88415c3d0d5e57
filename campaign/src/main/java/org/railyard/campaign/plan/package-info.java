/** What a campaign is to run: its kind, parameters and inputs, cut into chunks that depend on nothing else. */
@NullMarked
package org.railyard.campaign.plan;

import org.jspecify.annotations.NullMarked;
