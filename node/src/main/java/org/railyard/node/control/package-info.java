/**
 * The control socket: operations of {@code Dlc} as HTTP over a Unix socket, and the client's side of it. Knows no node,
 * only {@code Dlc}.
 */
@NullMarked
package org.railyard.node.control;

import org.jspecify.annotations.NullMarked;
