/**
 * {@code railyard decode}: what LNet nodes said to each other in a captured TCP stream, as text or YAML. The bytes are
 * read by the product's own wire classes.
 */
@NullMarked
package org.railyard.decode;

import org.jspecify.annotations.NullMarked;
