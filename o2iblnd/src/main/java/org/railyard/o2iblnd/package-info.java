/**
 * LNet over InfiniBand verbs: the transport as LNet sees it, and its NIs (spec 20). Everything runs in one loop of the
 * verbs provider.
 */
@NullMarked
package org.railyard.o2iblnd;

import org.jspecify.annotations.NullMarked;
