/** What a case of each kind of campaign is, how one is run, and what its row says. */
@NullMarked
package org.railyard.campaign.work;

import org.jspecify.annotations.NullMarked;
