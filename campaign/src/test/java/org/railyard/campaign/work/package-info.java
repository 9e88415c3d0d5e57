/** Tests of campaigns. */
@NullMarked
package org.railyard.campaign.work;

import org.jspecify.annotations.NullMarked;
