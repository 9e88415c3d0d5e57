/**
 * LNet over InfiniBand verbs: NIs, peers, connections and their credits (spec 20). Everything runs in one loop of the
 * verbs provider. Touches the contract of transports and {@code org.railyard.verbs}.
 */
@NullMarked
package org.railyard.o2iblnd;

import org.jspecify.annotations.NullMarked;
