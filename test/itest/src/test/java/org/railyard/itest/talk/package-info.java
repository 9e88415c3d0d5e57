/**
 * What nodes say over a connection, read from bytes and turned into bytes, by the wire classes of the product and
 * nothing else of it.
 */
@NullMarked
package org.railyard.itest.talk;

import org.jspecify.annotations.NullMarked;
