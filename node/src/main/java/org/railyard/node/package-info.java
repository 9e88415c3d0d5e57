/** The daemon: brings a node up from a file, keeps its configuration over restarts, and takes it down. */
@NullMarked
package org.railyard.node;

import org.jspecify.annotations.NullMarked;
