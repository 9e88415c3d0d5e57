/** Tests of campaigns on Spark; only with -Plong. */
@NullMarked
package org.railyard.campaign.spark;

import org.jspecify.annotations.NullMarked;
