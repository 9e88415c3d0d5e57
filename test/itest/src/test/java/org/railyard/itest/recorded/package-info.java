/**
 * Recorded kernel nodes come back to life: {@link org.railyard.itest.recorded.ScriptedPeer} says over real sockets what
 * one node said in a capture, and compares what our node says with what the other one said.
 */
@NullMarked
package org.railyard.itest.recorded;

import org.jspecify.annotations.NullMarked;
