/** Measurements, as ratios against a peer measured in the same run. */
@NullMarked
package org.railyard.bench;

import org.jspecify.annotations.NullMarked;
