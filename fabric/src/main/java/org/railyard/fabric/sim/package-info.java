/**
 * Packets on a fabric, one by one, in virtual time: links, credits, buffers, tables, arbitration, and the deadlocks
 * that come of them (spec 33). Sans-I/O, one thread; needs the model, tables and the proof's vocabulary. Traffic to try
 * it with is in {@code traffic} below.
 */
@NullMarked
package org.railyard.fabric.sim;

import org.jspecify.annotations.NullMarked;
