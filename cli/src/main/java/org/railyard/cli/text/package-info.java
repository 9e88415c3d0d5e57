/** What commands write: columns, YAML. Knows nothing of what it writes about. */
@NullMarked
package org.railyard.cli.text;

import org.jspecify.annotations.NullMarked;
