/** What the console knows of nodes: readings as they come, what changed between them, and answers to questions. */
@NullMarked
package org.railyard.console.node;

import org.jspecify.annotations.NullMarked;
