/**
 * The object model of a node (spec 10 §2): nets, NIs, peers, memory descriptors, messages. State and its invariants, no
 * decisions. Everything mutable here is guarded by the stack's lock unless it says otherwise.
 */
@NullMarked
package org.railyard.lnet.model;

import org.jspecify.annotations.NullMarked;
