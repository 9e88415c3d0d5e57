/**
 * What a node counts: global counters, latencies, use over time (spec 10 §17). Knows nothing of what is counted but
 * numbers; guarded by the stack's lock.
 */
@NullMarked
package org.railyard.lnet.stats;

import org.jspecify.annotations.NullMarked;
