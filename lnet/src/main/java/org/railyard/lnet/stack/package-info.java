/**
 * The way of a message through the stack: sending, receiving, completion, sending again, deadlines, events, response
 * tracking (spec 10 §4–§9, §12, §14–§16). Holds the lock that guards all state; calls transports and handlers without
 * it.
 */
@NullMarked
package org.railyard.lnet.stack;

import org.jspecify.annotations.NullMarked;
