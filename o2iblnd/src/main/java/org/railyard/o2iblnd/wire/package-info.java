/**
 * What o2iblnd writes into messages and private data (spec 20 §3). Each structure is one class with one declared
 * layout; nothing here knows queue pairs or time.
 */
@NullMarked
package org.railyard.o2iblnd.wire;

import org.jspecify.annotations.NullMarked;
