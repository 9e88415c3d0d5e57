/**
 * Ways to nets that this node is not on: the route table, which gateways are alive, and what keeps knowing it (spec 11
 * §6.1–§6.4, §6.8). Guarded by the stack's lock.
 */
@NullMarked
package org.railyard.lnet.route;

import org.jspecify.annotations.NullMarked;
