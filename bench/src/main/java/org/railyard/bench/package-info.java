/**
 * Measurements, as ratios against a peer measured in the same run: the command {@code railyard bench} and the list of
 * those who take part.
 */
@NullMarked
package org.railyard.bench;

import org.jspecify.annotations.NullMarked;
