/**
 * {@code railyard explain}: what a node would do, from its configuration alone. Opens no socket and starts no thread. Next room: {@code org.railyard.dlc}.
 */
@NullMarked
package org.railyard.cli.explain;

import org.jspecify.annotations.NullMarked;
