/** Names of the network: net types, nets, NIDs, process ids, and their text forms. Pure values; touches nothing else. Next room: {@code org.railyard.lnet.wire}. */
@NullMarked
package org.railyard.lnet.nid;

import org.jspecify.annotations.NullMarked;
