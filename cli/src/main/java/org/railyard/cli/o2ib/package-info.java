/** {@code railyard o2ib}: what the settings of the InfiniBand transport lead to. Reads its command line, and asks a node that runs if it is told to. Next room: {@code org.railyard.cli}. */
@NullMarked
package org.railyard.cli.o2ib;

import org.jspecify.annotations.NullMarked;
