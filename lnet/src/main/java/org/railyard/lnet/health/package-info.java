/**
 * How well NIs do: what a failure costs whom, and the pings by which those that failed come back (spec 10 §11, §13).
 * Guarded by the stack's lock.
 */
@NullMarked
package org.railyard.lnet.health;

import org.jspecify.annotations.NullMarked;
