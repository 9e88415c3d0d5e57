/** What connections and peers share: the stack above, the loop, and the identity and tunables of their NI. */
@NullMarked
package org.railyard.o2iblnd.ni;

import org.jspecify.annotations.NullMarked;
