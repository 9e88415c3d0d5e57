/**
 * How nodes learn of each other: ping target, push target, ping, and the state machine of spec 11 §3. Uses the stack
 * like an application does.
 */
@NullMarked
package org.railyard.lnet.discovery;

import org.jspecify.annotations.NullMarked;
