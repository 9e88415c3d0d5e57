/** Tests of campaigns. */
@NullMarked
package org.railyard.campaign.run;

import org.jspecify.annotations.NullMarked;
