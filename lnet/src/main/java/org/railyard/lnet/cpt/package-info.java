/**
 * CPU partitions: which CPUs and NUMA nodes belong together and how far they are from each other (spec 12 §8).
 * Immutable tables; credits are pooled by them, and selection measures distances.
 */
@NullMarked
package org.railyard.lnet.cpt;

import org.jspecify.annotations.NullMarked;
