/** The operations of {@code org.railyard.dlc.api}, done on a node of this process. Next room: {@code org.railyard.lnet}. */
@NullMarked
package org.railyard.control.node;

import org.jspecify.annotations.NullMarked;
