/**
 * What a router has that other nodes have not: the switch, the buffers, an eye on which of its nets work; state and rules, without messages and without
 * threads. Next room: {@code org.railyard.lnet.stack}, whose {@code Forwarder} sends messages through here.
 */
@NullMarked
package org.railyard.lnet.forward;

import org.jspecify.annotations.NullMarked;
