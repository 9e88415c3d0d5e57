/**
 * {@code railyard o2ib}: what the settings of the InfiniBand transport lead to. Reads its command line, and asks a node
 * that runs if it is told to.
 */
@NullMarked
package org.railyard.cli.o2ib;

import org.jspecify.annotations.NullMarked;
