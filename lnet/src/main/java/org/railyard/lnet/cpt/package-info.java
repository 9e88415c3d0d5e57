/**
 * CPU partitions: which CPUs and NUMA nodes belong together and how far they are from each other (spec 12 §8). Immutable tables; credits are pooled
 * by them, and selection measures distances. Next room: {@code org.railyard.lnet.select}.
 */
@NullMarked
package org.railyard.lnet.cpt;

import org.jspecify.annotations.NullMarked;
