/**
 * What a router has that other nodes have not: the switch, the buffers, an eye on which of its nets work; state and
 * rules, without messages and without threads.
 */
@NullMarked
package org.railyard.lnet.forward;

import org.jspecify.annotations.NullMarked;
