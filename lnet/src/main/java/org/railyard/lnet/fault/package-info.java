/**
 * Fault rules (spec 10 §18): which message is hit, and what comes of it. Decides only; the stack drops, fails and
 * delays. Guarded by the stack's lock.
 */
@NullMarked
package org.railyard.lnet.fault;

import org.jspecify.annotations.NullMarked;
