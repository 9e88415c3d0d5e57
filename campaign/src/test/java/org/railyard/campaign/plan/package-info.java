/** Tests of campaigns. */
@NullMarked
package org.railyard.campaign.plan;

import org.jspecify.annotations.NullMarked;
