/** {@code railyard mad}: InfiniBand's management datagrams for people, and the ports of this machine that send them. */
@NullMarked
package org.railyard.cli.mad;

import org.jspecify.annotations.NullMarked;
