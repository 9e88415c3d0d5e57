/** The operations of {@code org.railyard.control}, done on a node of this process. */
@NullMarked
package org.railyard.control.node;

import org.jspecify.annotations.NullMarked;
