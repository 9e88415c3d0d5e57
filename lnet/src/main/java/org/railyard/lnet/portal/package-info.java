/**
 * Portals, matching, and handles of memory descriptors (spec 10 §4, 01 §4). Decides which descriptor takes an incoming
 * message; touches no transport. Guarded by the stack's lock.
 */
@NullMarked
package org.railyard.lnet.portal;

import org.jspecify.annotations.NullMarked;
