/**
 * {@code railyard explain}: what a node would do, from its configuration alone. Opens no socket and starts no thread.
 */
@NullMarked
package org.railyard.cli.explain;

import org.jspecify.annotations.NullMarked;
