/**
 * The user-defined selection policy: the rules of a node, and what they make of nets and NIs (spec 10 §20). Guarded by
 * the stack's lock.
 */
@NullMarked
package org.railyard.lnet.udsp;

import org.jspecify.annotations.NullMarked;
