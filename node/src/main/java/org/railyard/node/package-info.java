/** The daemon: brings a node up from a file, keeps its configuration over restarts, and takes it down. Next rooms: {@code control} for its socket, {@code metrics} for those who watch. */
@NullMarked
package org.railyard.node;

import org.jspecify.annotations.NullMarked;
