/** Chunks of campaigns on Apache Spark. */
@NullMarked
package org.railyard.campaign.spark;

import org.jspecify.annotations.NullMarked;
