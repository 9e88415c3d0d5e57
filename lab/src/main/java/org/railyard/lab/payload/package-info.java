/** What payloads of a run are made of: one pattern, and references to it. */
@NullMarked
package org.railyard.lab.payload;

import org.jspecify.annotations.NullMarked;
