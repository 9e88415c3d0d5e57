/** Management datagrams: the common header, the headers of SMPs and of the SA, directed routes, methods and status. */
@NullMarked
package org.railyard.mad.wire;

import org.jspecify.annotations.NullMarked;
