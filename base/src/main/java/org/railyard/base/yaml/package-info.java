/** YAML documents read item by item, with line and column for whatever is wrong in them. */
@NullMarked
package org.railyard.base.yaml;

import org.jspecify.annotations.NullMarked;
