"""The one workspace: pages with their headers, two beside each other, or taken out into windows of their own."""
