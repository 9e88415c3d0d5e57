/** What the tests of every module share; nothing of the product may depend on it. */
@NullMarked
package org.railyard.testkit;

import org.jspecify.annotations.NullMarked;
