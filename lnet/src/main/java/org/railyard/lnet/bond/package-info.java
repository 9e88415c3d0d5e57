/**
 * Bonds: which NIDs an administrator has put together (spec 21 §10.1). Guarded by the stack's lock. Next rooms: {@code org.railyard.lnet.select}, which stays
 * within them, and {@code org.railyard.lnet.discovery}, which tells of one at a time.
 */
@NullMarked
package org.railyard.lnet.bond;

import org.jspecify.annotations.NullMarked;
