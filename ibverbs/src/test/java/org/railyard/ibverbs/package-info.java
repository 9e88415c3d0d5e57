/** Tests of the provider for cards, on what stands in for the libraries. */
@NullMarked
package org.railyard.ibverbs;

import org.jspecify.annotations.NullMarked;
