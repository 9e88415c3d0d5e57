/**
 * What is told of a node as it happens: to a listener, where what repeats is told once a second, and to who records.
 * Guarded by the stack's lock.
 */
@NullMarked
package org.railyard.lnet.event;

import org.jspecify.annotations.NullMarked;
