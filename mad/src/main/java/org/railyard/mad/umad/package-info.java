/** MADs through libibumad and the kernel's umad devices, or what stands in for them, by the Foreign Function API. */
@NullMarked
package org.railyard.mad.umad;

import org.jspecify.annotations.NullMarked;
