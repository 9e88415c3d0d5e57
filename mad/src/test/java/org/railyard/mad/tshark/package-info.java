/** An independent reader: where tshark's InfiniBand dissector sees the fields of our MADs. */
@NullMarked
package org.railyard.mad.tshark;

import org.jspecify.annotations.NullMarked;
